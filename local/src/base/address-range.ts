import { isIP } from "node:net";

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Whether a text is an IP address, or a range of addresses such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = "", length, ...others] = text.split("/");
  const bits = BITS[isIP(address)];
  const isLength = length === undefined || /^\d{1,3}$/.test(length);
  return bits !== undefined && isLength && Number(length ?? 0) <= bits && others.length === 0;
}
