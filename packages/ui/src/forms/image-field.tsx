import { Camera, ImagePlus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { classNames } from '../theme/class-names.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Icon } from '../graphics/icon.tsx'
import { MeterBar } from '../feedback/meter-bar.tsx'
import { useImageUpload, type SendImage } from './use-image-upload.ts'
import type { ImageLimits } from './shrink-image.ts'
import { useMediaQuery } from '../hooks/use-media-query.ts'

export type ImageFieldTexts = {
  choose: string
  takePhoto: string
  remove: string
  /** What the bar measures. */
  sending: string
  /** Such as "40%". */
  percent: (part: number) => string
  sent: string
  tooLarge: string
}

type ImageFieldProps = {
  label: string
  hint?: ReactNode
  /** A problem that the form found, such as a missing picture. */
  problem?: string | null | undefined
  texts: ImageFieldTexts
  /** Media types that may be chosen. */
  types: readonly string[]
  /** The most bytes and pixels: a picture with more is shrunk before it is sent, and refused if that was not enough. */
  limits: ImageLimits
  isDisabled?: boolean | undefined
  send: SendImage
  onChange: (sent: string | null) => void
  /** For a form that waits for the upload. */
  onSending?: ((isSending: boolean) => void) | undefined
  problemOf: (error: unknown) => string | null
}

/** A picture from the device's files or camera: uploaded at once, with a progress bar. */
export function ImageField({
  label,
  hint,
  problem,
  texts,
  types,
  limits,
  isDisabled,
  ...upload
}: ImageFieldProps) {
  const id = useId()
  const picture = useImageUpload({ ...upload, limits, tooLarge: texts.tooLarge })
  const { chosen } = picture
  const shownProblem = picture.problem ?? problem
  return (
    <div
      role="group"
      aria-labelledby={id}
      aria-describedby={`${id}-note`}
      className="flex min-w-0 flex-col gap-1"
    >
      <span id={id} className="text-tiny text-second">
        {label}
      </span>
      {chosen ? (
        <Shown {...chosen} texts={texts} onRemove={picture.remove} />
      ) : (
        <Choice
          texts={texts}
          types={types}
          isDisabled={isDisabled}
          onTake={(file) => void picture.choose(file)}
        />
      )}
      <p
        id={`${id}-note`}
        role={shownProblem ? 'alert' : undefined}
        className={classNames('text-note empty:hidden', shownProblem ? 'text-danger' : 'text-second')}
      >
        {shownProblem ?? hint}
      </p>
    </div>
  )
}

type ChoiceProps = Pick<ImageFieldProps, 'texts' | 'types' | 'isDisabled'> & { onTake: (file: File) => void }

/** The buttons to choose a picture. Touch devices have a camera, and get a button that opens it directly. */
function Choice({ texts, types, isDisabled, onTake }: ChoiceProps) {
  const hasCamera = useMediaQuery('(pointer: coarse)')
  const rest = { types, isDisabled, onTake }
  return (
    <div className="flex flex-wrap gap-2">
      <Picker {...rest} icon={ImagePlus} label={texts.choose} />
      {hasCamera && <Picker {...rest} icon={Camera} label={texts.takePhoto} isCamera />}
    </div>
  )
}

type PickerProps = Omit<ChoiceProps, 'texts'> & { icon: typeof Camera; label: string; isCamera?: boolean }

function Picker({ types, isDisabled = false, onTake, icon, label, isCamera = false }: PickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={types.join(',')}
        {...(isCamera && { capture: 'environment' as const })}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Allows the same file to be chosen again.
          target.value = ''
          if (file) onTake(file)
        }}
      />
      <Button tone="outline" size="small" disabled={isDisabled} onClick={() => input.current?.click()}>
        <Icon of={icon} />
        {label}
      </Button>
    </>
  )
}

type ShownProps = {
  preview: string
  name: string
  sent: number | 'done'
  texts: ImageFieldTexts
  onRemove: () => void
}

function Shown({ preview, name, sent, texts, onRemove }: ShownProps) {
  return (
    <div className="flex items-center gap-3 rounded-field bg-page p-2">
      <img src={preview} alt={name} className="size-16 shrink-0 rounded-field bg-surface object-cover" />
      <div className="flex min-w-0 grow flex-col gap-1">
        <span className="truncate text-body">{name}</span>
        {sent === 'done' ? (
          <span role="status" className="text-note text-second">
            {texts.sent}
          </span>
        ) : (
          <MeterBar label={texts.sending} valueText={texts.percent(sent)} part={sent} tone="brass" />
        )}
      </div>
      <IconButton icon={X} label={texts.remove} onClick={onRemove} />
    </div>
  )
}
