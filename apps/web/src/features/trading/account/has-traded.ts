import { useEffect } from 'react'
import { useOrders } from '../../../live/account/orders.ts'
import { readStored, writeStored } from '../../../live/device/storage.ts'
import { useUser } from '../../../live/session/user.ts'

/**
 * Whether the user has ever placed an order; undefined until it is known. A yes is remembered, so that nothing is requested again;
 * lists that cannot be loaded count as one, since a beginner's help is then not what is missing.
 */
export function useHasTraded(): boolean | undefined {
  const user = useUser()
  const isKnown = user !== undefined && readStored('traded') === String(user.id)
  const isWanted = user !== undefined && !isKnown
  // At once: one after the other they would move the screen when the last is known.
  const lists = [
    useOrders('holding', isWanted),
    useOrders('pending', isWanted),
    useOrders('history', isWanted),
  ]
  const hasOrders = lists.some(({ total = 0 }) => total > 0)
  const userId = user?.id
  useEffect(() => {
    if (hasOrders && userId !== undefined) writeStored('traded', String(userId))
  }, [hasOrders, userId])
  if (isKnown || hasOrders || lists.some(({ isFailed }) => isFailed)) return true
  return lists.every(({ total }) => total === 0) ? false : undefined
}
