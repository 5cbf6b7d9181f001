import { lazy, Suspense } from 'react'
import { useOnceTrue } from '../hooks/use-once-true.ts'
import type { SheetDrawerProps } from './sheet-drawer.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'

const SheetDrawer = lazy(async () => ({ default: (await import('./sheet-drawer.tsx')).SheetDrawer }))

/**
 * A panel over the screen, from below or from the leading edge (`side="start"`). A swipe, a press outside, Escape and the
 * close button call onClose. Its code loads when it first opens.
 */
export const Sheet = (props: SheetDrawerProps) =>
  useOnceTrue(props.isOpen) && (
    <Suspense fallback={null}>
      <SheetDrawer {...props} />
    </Suspense>
  )

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Confirms an action that cannot be undone. The text says what will happen. */
export const Confirm = (props: ConfirmDialogProps) =>
  useOnceTrue(props.isOpen) && (
    <Suspense fallback={null}>
      <ConfirmDialog {...props} />
    </Suspense>
  )
