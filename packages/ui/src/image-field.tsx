import { Camera, ImagePlus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { Icon } from './icon.tsx'
import { MeterBar } from './meter-bar.tsx'
import { useImageUpload, type SendImage } from './use-image-upload.ts'
import { useMediaQuery } from './use-media-query.ts'

export type ImageFieldWords = {
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
  /** What is wrong with the form, such as a picture that is missing. */
  problem?: string | null | undefined
  words: ImageFieldWords
  /** Media types that may be chosen, and the most bytes of a file. */
  types: readonly string[]
  bytesMax: number
  isDisabled?: boolean | undefined
  send: SendImage
  onChange: (sent: string | null) => void
  /** For a form that waits until the picture is there. */
  onSending?: ((isSending: boolean) => void) | undefined
  problemOf: (error: unknown) => string | null
}

/** A picture, from the files of the device or its camera: sent away at once, shown with a bar while it goes. */
export function ImageField({
  label,
  hint,
  problem,
  words,
  types,
  bytesMax,
  isDisabled,
  ...way
}: ImageFieldProps) {
  const id = useId()
  const picture = useImageUpload(way)
  const { chosen } = picture
  const told = picture.problem ?? problem
  const take = (file: File) =>
    file.size > bytesMax ? picture.refuse(words.tooLarge) : void picture.choose(file)
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
        <Shown {...chosen} words={words} onRemove={picture.remove} />
      ) : (
        <Choice words={words} types={types} isDisabled={isDisabled} onTake={take} />
      )}
      <p
        id={`${id}-note`}
        role={told ? 'alert' : undefined}
        className={classNames('text-note empty:hidden', told ? 'text-danger' : 'text-second')}
      >
        {told ?? hint}
      </p>
    </div>
  )
}

type ChoiceProps = Pick<ImageFieldProps, 'words' | 'types' | 'isDisabled'> & { onTake: (file: File) => void }

/** Where fingers point there is a camera, and a button that goes straight to it. */
function Choice({ words, types, isDisabled, onTake }: ChoiceProps) {
  const hasCamera = useMediaQuery('(pointer: coarse)')
  const rest = { types, isDisabled, onTake }
  return (
    <div className="flex flex-wrap gap-2">
      <Picker {...rest} icon={ImagePlus} label={words.choose} />
      {hasCamera && <Picker {...rest} icon={Camera} label={words.takePhoto} isCamera />}
    </div>
  )
}

type PickerProps = Omit<ChoiceProps, 'words'> & { icon: typeof Camera; label: string; isCamera?: boolean }

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
          // The same file may be chosen once more.
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
  words: ImageFieldWords
  onRemove: () => void
}

function Shown({ preview, name, sent, words, onRemove }: ShownProps) {
  return (
    <div className="flex items-center gap-3 rounded-field bg-page p-2">
      <img src={preview} alt={name} className="size-16 shrink-0 rounded-field bg-surface object-cover" />
      <div className="flex min-w-0 grow flex-col gap-1">
        <span className="truncate text-body">{name}</span>
        {sent === 'done' ? (
          <span role="status" className="text-note text-second">
            {words.sent}
          </span>
        ) : (
          <MeterBar label={words.sending} valueText={words.percent(sent)} part={sent} tone="brass" />
        )}
      </div>
      <IconButton icon={X} label={words.remove} onClick={onRemove} />
    </div>
  )
}
