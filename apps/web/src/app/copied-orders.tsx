import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { lazyWithMessages } from './lazy-with-messages.tsx'
import { ownRecord } from './pages/order-records.tsx'

const CopiedPositions = lazyWithMessages(
  'copying',
  async () => (await import('../features/copying/copied-positions.tsx')).CopiedPositions,
)

/** Positions in copies, below the own ones. */
export const CopiedOrders = () => (
  <SmallPart>
    <CopiedPositions renderOrder={ownRecord} />
  </SmallPart>
)
