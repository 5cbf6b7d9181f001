import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain } from '../requests/query-client.ts'

/**
 * Fetches what has changed: the list of copies, the figures and logs of some, or the own strategy with its copiers.
 * Called once.
 */
export const startCopyUpdates = (): void =>
  void onServerMessage('copying', ({ copyIds, hasCopierChange }) => {
    if (hasCopierChange) void fetchAgain({ queryKey: ['copies', 'strategy'] })
    if (copyIds.length === 0) return
    void fetchAgain({ queryKey: ['copies', 'list'] })
    for (const id of copyIds) {
      for (const part of ['one', 'log']) void fetchAgain({ queryKey: ['copies', part, id] })
    }
  })
