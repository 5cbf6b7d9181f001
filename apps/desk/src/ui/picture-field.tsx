import { uploadPublicPicture } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { PictureUpload, PICTURES_TAKEN } from './picture-upload.tsx'

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
    <PictureUpload
      label={label}
      hint={hint ?? `${PICTURES_TAKEN} Everybody may see it.`}
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
