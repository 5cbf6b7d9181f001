import { deviceName } from '@fairlot/contract'

/** Where somebody came from, as its owner would say it: "Chrome · Android, 203.0.113.7". What said nothing of itself is left out. */
export const originText = ({ device, address }: { device: string; address: string }): string =>
  [deviceName(device), address].filter((part) => part !== null && part !== '').join(', ')
