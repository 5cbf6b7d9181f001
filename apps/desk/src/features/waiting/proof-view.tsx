import { DESK_FILE_PATH, getPayment } from '@fairlot/contract/desk'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { AskedPicture } from '../../ui/asked-picture.tsx'
import { Passage } from '../../ui/split-view.tsx'

/** The picture of a transfer. */
export function ProofView({ id }: { id: number }) {
  const key = useDeskQuery(getPayment, { id }).data?.proof ?? null
  if (key === null) return null
  return (
    <Passage title="Picture of the transfer">
      <AskedPicture path={`${DESK_FILE_PATH}${key}`} alt="Proof of the transfer" isTurnable />
    </Passage>
  )
}
