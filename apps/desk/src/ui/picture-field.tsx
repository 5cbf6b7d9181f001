import { UPLOAD } from '@fairlot/contract'
import { type DeskEndpoint, uploadPublicPicture } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { ImageField } from '@fairlot/ui/forms/image-field.tsx'
import { errorText, requestWithFile } from '../live/request.ts'

const MEGABYTE = 1024 * 1024
const MEGABYTES_MAX = UPLOAD.bytesMax / MEGABYTE

/** Which pictures are allowed. */
const ALLOWED_PICTURES = `JPEG, PNG or WebP, at most ${MEGABYTES_MAX} MB.`

const LABELS = {
  choose: 'Choose a picture',
  takePhoto: 'Take a photo',
  remove: 'Remove',
  sending: 'Uploading the picture',
  percent: (part: number) => `${Math.round(part * 100)}%`,
  sent: 'Uploaded',
  tooLarge: `The picture is larger than ${MEGABYTES_MAX} MB.`,
}

type PictureUploadProps<Kept> = {
  label: string
  hint?: string | undefined
  problem?: string | null | undefined
  isDisabled?: boolean
  /** The upload endpoint, and the part of its result that a form keeps. */
  endpoint: DeskEndpoint<null, Kept>
  nameOf: (kept: Kept) => string
  /** Shown after the upload. */
  sentText?: string
  onChange: (name: string | null) => void
  onSending?: (isSending: boolean) => void
}

/** Uploads a picture as soon as it is chosen. */
export const PictureUpload = <Kept,>({
  endpoint,
  nameOf,
  hint = ALLOWED_PICTURES,
  sentText = LABELS.sent,
  ...field
}: PictureUploadProps<Kept>) => (
  <ImageField
    {...field}
    hint={hint}
    texts={{ ...LABELS, sent: sentText }}
    types={UPLOAD.types}
    limits={UPLOAD}
    send={async (file, { signal }) =>
      nameOf(await requestWithFile(endpoint, { field: UPLOAD.field, file }, { signal }))
    }
    problemOf={errorText}
  />
)

type PictureFieldProps = {
  label: string
  hint?: string | undefined
  problem?: string | null | undefined
  /** The address of a public picture; empty for none. */
  value: string
  isDisabled?: boolean
  onChange: (address: string) => void
}

/** A public picture, uploaded as soon as it is chosen. */
export const PictureField = ({
  label,
  hint,
  problem,
  value,
  isDisabled = false,
  onChange,
}: PictureFieldProps) =>
  value === '' ? (
    <PictureUpload
      label={label}
      hint={hint ?? `${ALLOWED_PICTURES} It will be public.`}
      problem={problem}
      isDisabled={isDisabled}
      endpoint={uploadPublicPicture}
      nameOf={({ url }) => url}
      onChange={(sent) => sent !== null && onChange(sent)}
    />
  ) : (
    <div role="group" aria-label={label} className="flex min-w-0 flex-col gap-1">
      <span className="text-tiny text-second">{label}</span>
      <div className="flex items-center gap-3">
        <img src={value} alt="" className="h-16 max-w-40 rounded-field bg-page object-contain" />
        {!isDisabled && (
          <Button size="small" tone="outline" onClick={() => onChange('')}>
            Remove
          </Button>
        )}
      </div>
      {problem && (
        <p role="alert" className="text-note text-danger">
          {problem}
        </p>
      )}
    </div>
  )
