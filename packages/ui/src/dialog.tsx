import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, SubmitEventHandler } from 'react'
import { ButtonRow } from './button-row.tsx'
import { Button, type ButtonTone } from './button.tsx'
import { classNames } from './class-names.ts'
import { FormFrame, FormNote } from './form-frame.tsx'
import { NOTICE_FLOOR } from './notice-floor.ts'

type DialogProps = {
  title: string
  /** A sentence below the title. */
  text?: ReactNode
  /** As wide as the screen has room for. */
  isWide?: boolean
  onClose: () => void
  children: ReactNode
}

/** A window over the screen; open while it is there. Escape and the ground beside it close it. */
export const Dialog = ({ title, text, isWide = false, onClose, children }: DialogProps) => (
  <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-30 bg-scrim" />
      <Base.Viewport className="fixed inset-0 z-30 flex items-end justify-center overflow-y-auto p-4 tablet:items-center">
        <Base.Popup
          {...NOTICE_FLOOR}
          className={classNames(
            'flex w-full flex-col gap-4 rounded-sheet bg-surface p-5 text-ink outline-none',
            isWide ? 'max-w-5xl' : 'max-w-md',
          )}
        >
          <div className="flex flex-col gap-1.5">
            <Base.Title className="text-title font-bold">{title}</Base.Title>
            {text && (
              <Base.Description render={<div />} className="text-note text-second">
                {text}
              </Base.Description>
            )}
          </div>
          {children}
        </Base.Popup>
      </Base.Viewport>
    </Base.Portal>
  </Base.Root>
)

type FormDialogProps = DialogProps & {
  /** Counts refusals; the first field marked wrong takes the focus. */
  refused: number
  /** What is wrong with no field in particular. */
  note?: string | null
  sendLabel: string
  cancelLabel: string
  tone?: ButtonTone
  isBusy: boolean
  onSend: () => void
}

/** A form in a window, with the way back and the way on below it. */
export function FormDialog(props: FormDialogProps) {
  const {
    refused,
    note = null,
    sendLabel,
    cancelLabel,
    tone = 'ink',
    isBusy,
    onSend,
    children,
    ...frame
  } = props
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault()
    onSend()
  }
  return (
    <Dialog {...frame}>
      <FormFrame form={{ refused }} onSubmit={submit}>
        {children}
        <FormNote text={note} />
        <ButtonRow>
          <Button tone="outline" onClick={frame.onClose}>
            {cancelLabel}
          </Button>
          <Button type="submit" tone={tone} isBusy={isBusy}>
            {sendLabel}
          </Button>
        </ButtonRow>
      </FormFrame>
    </Dialog>
  )
}
