/** What a field of date and time holds, read as UTC like every time of the desk; null while it is not whole. Epoch ms. */
export function momentOfField(text: string): number | null {
  const at = Date.parse(`${text}Z`)
  return Number.isNaN(at) ? null : at
}
