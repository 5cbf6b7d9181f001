import { DESK_FILE_PATH, type IdentityDetail } from '@fairlot/contract/desk'
import { AskedPicture } from '../../ui/asked-picture.tsx'

/** Both sides of a document beside each other; on a phone one below the other. */
export const Documents = ({ detail: { front, reverse } }: { detail: IdentityDetail }) => (
  <div className="grid gap-4 tablet:grid-cols-2">
    <Side label="Front" pictureKey={front} />
    <Side label="Back" pictureKey={reverse} />
  </div>
)

const Side = ({ label, pictureKey }: { label: string; pictureKey: string }) => (
  <section aria-label={label} className="flex min-w-0 flex-col gap-1">
    <h3 className="text-note text-second">{label}</h3>
    <AskedPicture path={`${DESK_FILE_PATH}${pictureKey}`} alt={`${label} of the document`} isTurnable />
  </section>
)
