import type { Notice } from '@fairlot/contract'
import { onLive } from './door.ts'

/** Hears what the server has to say in words, until the returned function is called. */
export const onNotice = (listener: (notice: Notice) => void): (() => void) =>
  onLive('notice', ({ notice }) => listener(notice))
