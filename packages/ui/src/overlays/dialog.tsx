import { Dialog as Base } from '@base-ui/react/dialog'
import { useId, type ReactNode, type SubmitEventHandler } from 'react'
import { ButtonRow } from '../controls/button-row.tsx'
import { Button, type ButtonTone } from '../controls/button.tsx'
import { classNames } from '../theme/class-names.ts'
import { FormFrame, FormNote } from '../forms/form-frame.tsx'
import { TOAST_OBSTACLE } from '../layout/toast-obstacle.ts'
import { withNames } from '../figures/names.tsx'

type DialogProps = {
  title: string
  /** A sentence below the title. */
  text?: ReactNode
  /** As wide as the screen allows. */
  isWide?: boolean
  onClose: () => void
  /** The buttons, always in view at the bottom. */
  footer?: ReactNode
  children: ReactNode
}

/** A modal dialog, open while rendered. Escape or a press outside closes it. Long content scrolls between title and buttons. */
export const Dialog = ({ title, text, isWide = false, onClose, footer, children }: DialogProps) => (
  <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-30 bg-scrim" />
      <Base.Viewport className="fixed inset-0 z-30 flex items-end justify-center p-4 tablet:items-center">
        <Base.Popup
          {...TOAST_OBSTACLE}
          className={classNames(
            'flex max-h-full w-full flex-col overflow-hidden rounded-sheet bg-surface text-ink outline-none',
            isWide ? 'max-w-5xl' : 'max-w-md',
          )}
        >
          <Base.Title className="shrink-0 px-5 pt-5 pb-1.5 text-title font-bold">
            {withNames(title)}
          </Base.Title>
          <div
            className={classNames(
              'flex min-h-0 flex-col gap-4 overflow-y-auto px-5',
              footer === undefined ? 'pb-5' : 'pb-4',
            )}
          >
            {text && (
              <Base.Description render={<div />} className="text-note text-second">
                {withNames(text)}
              </Base.Description>
            )}
            {children}
          </div>
          {footer !== undefined && (
            <div className="flex shrink-0 flex-col gap-3 border-t border-line px-5 pt-3 pb-5">{footer}</div>
          )}
        </Base.Popup>
      </Base.Viewport>
    </Base.Portal>
  </Base.Root>
)

type FormDialogProps = Omit<DialogProps, 'footer'> & {
  /** Counts failed submissions; the first invalid field gets the focus. */
  rejections: number
  /** A problem with the form as a whole. */
  note?: string | null
  submitLabel: string
  cancelLabel: string
  tone?: ButtonTone
  isBusy: boolean
  onSubmit: () => void
}

/** A form in a dialog, with its cancel and submit buttons. */
export function FormDialog(props: FormDialogProps) {
  const {
    rejections,
    note = null,
    submitLabel,
    cancelLabel,
    tone = 'ink',
    isBusy,
    onSubmit,
    children,
    ...frame
  } = props
  const formId = useId()
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog
      {...frame}
      footer={
        <>
          <FormNote text={note} />
          <ButtonRow>
            <Button tone="outline" onClick={frame.onClose}>
              {cancelLabel}
            </Button>
            <Button type="submit" form={formId} tone={tone} isBusy={isBusy}>
              {submitLabel}
            </Button>
          </ButtonRow>
        </>
      }
    >
      <FormFrame id={formId} form={{ rejections }} onSubmit={submit}>
        {children}
      </FormFrame>
    </Dialog>
  )
}
