import { lazy, Suspense, useState } from 'react'
import type { SheetDrawerProps } from './sheet-drawer.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'

const SheetDrawer = lazy(async () => ({ default: (await import('./sheet-drawer.tsx')).SheetDrawer }))

/**
 * A panel over the screen: from below, or from the leading edge (`side="start"`). Swiping, the scrim, Escape and the
 * close button all call onClose. Its code loads when it first opens.
 */
export const Sheet = (props: SheetDrawerProps) =>
  useOnceTrue(props.isOpen) && (
    <Suspense fallback={null}>
      <SheetDrawer {...props} />
    </Suspense>
  )

/** False until `isTrue` has been true for the first time, true ever after: loads a lazy part only when wanted. */
export function useOnceTrue(isTrue: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(isTrue)
  if (isTrue && !hasBeen) setHasBeen(true)
  return hasBeen
}

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Asks before something that cannot be undone. The text names what will happen. */
export const Confirm = (props: ConfirmDialogProps) =>
  useOnceTrue(props.isOpen) && (
    <Suspense fallback={null}>
      <ConfirmDialog {...props} />
    </Suspense>
  )
