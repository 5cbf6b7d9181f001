import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ButtonRow } from '../controls/button-row.tsx'
import { Button } from '../controls/button.tsx'
import type { ButtonTone } from '../controls/button.tsx'
import { TOAST_OBSTACLE } from '../layout/toast-obstacle.ts'
import { withNames } from '../figures/names.tsx'

export type ConfirmDialogProps = {
  isOpen: boolean
  title: string
  text?: ReactNode
  confirmLabel: string
  cancelLabel: string
  tone?: ButtonTone
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => setIsOpen(props.isOpen), [props.isOpen])
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && props.onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop
          forceRender
          className="fixed inset-0 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <AlertDialog.Viewport className="fixed inset-0 flex items-end justify-center overflow-y-auto p-4 desktop:items-center">
          <AlertDialog.Popup
            {...TOAST_OBSTACLE}
            className="flex w-full max-w-96 flex-col gap-4 rounded-sheet bg-surface p-5 text-ink outline-none transition-[transform,opacity] data-ending-style:translate-y-4 data-ending-style:opacity-0 data-starting-style:translate-y-4 data-starting-style:opacity-0"
          >
            <div className="flex flex-col gap-1.5">
              <AlertDialog.Title className="text-title font-bold">{withNames(props.title)}</AlertDialog.Title>
              <AlertDialog.Description render={<div />} className="text-body text-second">
                {withNames(props.text)}
              </AlertDialog.Description>
            </div>
            <ButtonRow>
              <Button tone="outline" onClick={props.onClose}>
                {props.cancelLabel}
              </Button>
              <Button tone={props.tone ?? 'ink'} isBusy={props.isBusy ?? false} onClick={props.onConfirm}>
                {props.confirmLabel}
              </Button>
            </ButtonRow>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
