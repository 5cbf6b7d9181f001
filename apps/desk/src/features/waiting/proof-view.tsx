import { getPayment } from '@fairlot/contract/desk'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { Passage } from '../../ui/split-view.tsx'
import { AskedPicture } from './asked-picture.tsx'

/** The picture of a transfer. */
export function ProofView({ id }: { id: number }) {
  const key = useDeskQuery(getPayment, { id }).data?.proof ?? null
  if (key === null) return null
  return (
    <Passage title="Picture of the transfer">
      <AskedPicture pictureKey={key} alt="Proof of the transfer" />
    </Passage>
  )
}
