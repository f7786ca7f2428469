/** The regions of the public cloud as they are displayed. */
export const regions = `
  Australia Central, Australia Central 2, Australia East, Australia Southeast, Austria East,
  Belgium Central, Brazil South, Brazil Southeast, Canada Central, Canada East, Central India,
  Central US, Chile Central, East Asia, East US, East US 2, France Central, France South,
  Germany North, Germany West Central, Indonesia Central, Israel Central, Italy North, Japan East,
  Japan West, Jio India Central, Jio India West, Korea Central, Korea South, Malaysia West,
  Mexico Central, New Zealand North, North Central US, North Europe, Norway East, Norway West,
  Poland Central, Qatar Central, South Africa North, South Africa West, South Central US,
  Southeast Asia, South India, Spain Central, Sweden Central, Sweden South, Switzerland North,
  Switzerland West, UAE Central, UAE North, UK South, UK West, West Central US, West Europe,
  West India, West US, West US 2, West US 3
`
  .trim()
  .split(/,\s+/);

/** A location as requests and resources name it: `westeurope`. */
export function locationNamed(region: string): string {
  return region.toLowerCase().replaceAll(" ", "");
}

/** The names of all regions. The azurerm provider refuses a location that is not listed. */
export const locations = regions.map(locationNamed);
