const ADDRESS = /^[^\s@,<>"]{1,64}@[^\s@,<>"]{1,255}$/

/** E-mail addresses separated by commas; null where one of them is none. */
export function readAddresses(text: string): readonly string[] | null {
  const addresses = text.split(',').flatMap((each) => each.trim() || [])
  return addresses.every((each) => ADDRESS.test(each)) ? addresses : null
}
