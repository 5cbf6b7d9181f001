/**
 * Whether readers of a company may be sent to an address: https without credentials, at a host that an administrator has
 * listed. Asked when it is written and again whenever it is told, since the list may have become shorter.
 */
export const mayLeadTo = (address: string, hosts: readonly string[]): boolean => {
  const url = URL.parse(address)
  return (
    url?.protocol === 'https:' && url.username === '' && url.password === '' && hosts.includes(url.hostname)
  )
}
