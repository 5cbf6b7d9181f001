import { lazy, Suspense } from 'react'
import { useWaitingToasts } from './toast.ts'
import { useOnceTrue } from './use-once-true.ts'

const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }))

/** Where toasts appear. Mounted once, at the root. */
export function Toaster({ closeLabel }: { closeLabel: string }) {
  const hasMessages = useWaitingToasts((waiting) => waiting.messages.length > 0)
  return (
    useOnceTrue(hasMessages) && (
      <Suspense fallback={null}>
        <ToastList closeLabel={closeLabel} />
      </Suspense>
    )
  )
}
