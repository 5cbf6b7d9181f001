import { lazy, Suspense } from 'react'
import type { SheetDrawerProps } from './sheet-drawer.tsx'
import { useOnceTrue } from './use-once-true.ts'

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
