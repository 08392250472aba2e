/** The shape of descriptors. A runtime accepts exactly the formats it lists; another number does not compile. */
export type DescriptorFormat = 1;
