import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import { lazyOverlay } from './lazy-overlay.tsx'
import type { SheetDrawerProps } from './sheet-drawer.tsx'

/**
 * A panel over the screen, from below or from the leading edge (`side="start"`). A swipe, a press outside, Escape and the
 * close button call onClose. Its code loads when it first opens.
 */
export const Sheet = lazyOverlay<SheetDrawerProps>(
  async () => (await import('./sheet-drawer.tsx')).SheetDrawer,
)

/** Confirms an action that cannot be undone. The text says what will happen. */
export const Confirm = lazyOverlay<ConfirmDialogProps>(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
)
