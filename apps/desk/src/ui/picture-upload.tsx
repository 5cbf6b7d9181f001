import { UPLOAD } from '@fairlot/contract'
import type { DeskEndpoint } from '@fairlot/contract/desk'
import { ImageField } from '@fairlot/ui/image-field.tsx'
import { refusalText, requestWithFile } from '../live/request.ts'

const MEGABYTE = 1024 * 1024
const MOST = UPLOAD.bytesMax / MEGABYTE

/** What may be chosen, in words. */
export const PICTURES_TAKEN = `JPEG, PNG or WebP, at most ${MOST} MB.`

const WORDS = {
  choose: 'Choose a picture',
  takePhoto: 'Take a photo',
  remove: 'Remove',
  sending: 'Sending the picture',
  percent: (part: number) => `${Math.round(part * 100)}%`,
  sent: 'Sent',
  tooLarge: `A picture has at most ${MOST} MB.`,
}

type PictureUploadProps<Kept> = {
  label: string
  hint?: string | undefined
  problem?: string | null | undefined
  isDisabled?: boolean
  /** The call that takes it, and what of its answer a form names it by. */
  endpoint: DeskEndpoint<null, Kept>
  nameOf: (kept: Kept) => string
  /** What is said once it has been sent. */
  sentText?: string
  onChange: (name: string | null) => void
  onSending?: (isSending: boolean) => void
}

/** A picture that is sent to the server as soon as it is chosen. */
export const PictureUpload = <Kept,>({
  endpoint,
  nameOf,
  hint = PICTURES_TAKEN,
  sentText = WORDS.sent,
  ...field
}: PictureUploadProps<Kept>) => (
  <ImageField
    {...field}
    hint={hint}
    words={{ ...WORDS, sent: sentText }}
    types={UPLOAD.types}
    bytesMax={UPLOAD.bytesMax}
    send={async (file, { signal }) =>
      nameOf(await requestWithFile(endpoint, { field: UPLOAD.field, file }, { signal }))
    }
    problemOf={refusalText}
  />
)
