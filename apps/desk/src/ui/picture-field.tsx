import { UPLOAD } from '@fairlot/contract'
import { uploadPublicPicture } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { ImageField } from '@fairlot/ui/image-field.tsx'
import { refusalText, requestWithFile } from '../live/request.ts'

const MEGABYTE = 1024 * 1024
const MOST = UPLOAD.bytesMax / MEGABYTE

const WORDS = {
  choose: 'Choose a picture',
  takePhoto: 'Take a photo',
  remove: 'Remove',
  sending: 'Sending the picture',
  percent: (part: number) => `${Math.round(part * 100)}%`,
  sent: 'Sent',
  tooLarge: `A picture has at most ${MOST} MB.`,
}

type PictureFieldProps = {
  label: string
  hint?: string | undefined
  problem?: string | null | undefined
  /** The address of a public picture; empty for none. */
  value: string
  isDisabled?: boolean
  onChange: (address: string) => void
}

/** A picture that everybody will be able to see, sent to the server as soon as it is chosen. */
export const PictureField = ({
  label,
  hint,
  problem,
  value,
  isDisabled = false,
  onChange,
}: PictureFieldProps) =>
  value === '' ? (
    <ImageField
      label={label}
      hint={hint ?? `JPEG, PNG or WebP, at most ${MOST} MB. Everybody may see it.`}
      problem={problem}
      words={WORDS}
      types={UPLOAD.types}
      bytesMax={UPLOAD.bytesMax}
      isDisabled={isDisabled}
      send={async (file, { signal }) => {
        const { url } = await requestWithFile(uploadPublicPicture, { field: UPLOAD.field, file }, { signal })
        return url
      }}
      onChange={(sent) => sent !== null && onChange(sent)}
      problemOf={refusalText}
    />
  ) : (
    <div role="group" aria-label={label} className="flex min-w-0 flex-col gap-1">
      <span className="text-tiny text-second">{label}</span>
      <div className="flex items-center gap-3">
        <img src={value} alt="" className="h-16 max-w-40 rounded-field bg-page object-contain" />
        {!isDisabled && (
          <Button size="small" tone="outline" onClick={() => onChange('')}>
            {WORDS.remove}
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
