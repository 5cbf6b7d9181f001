import { lazy, Suspense } from 'react'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import { useOnceTrue } from './use-once-true.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Asks before something that cannot be undone. The text names what will happen. */
export const Confirm = (props: ConfirmDialogProps) =>
  useOnceTrue(props.isOpen) && (
    <Suspense fallback={null}>
      <ConfirmDialog {...props} />
    </Suspense>
  )
