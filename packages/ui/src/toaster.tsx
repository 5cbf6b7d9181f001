import { lazy, Suspense, useEffect } from 'react'
import type { ComponentType } from 'react'
import { useWaitingToasts } from './toast.ts'
import { useOnceTrue } from './sheet.tsx'

const loadToastList = () => import('./toast-list.tsx')

type ToasterProps = {
  closeLabel: string
  /** On a wide screen too they stand above what NOTICE_FLOOR marks. */
  isAboveFloors?: boolean
}

const Nothing: ComponentType<ToasterProps> = () => null

// It stands above every screen: if it cannot be loaded, a message is lost, but never the app.
const ToastList = lazy((): Promise<{ default: ComponentType<ToasterProps> }> =>
  loadToastList().then(
    (loaded) => ({ default: loaded.ToastList }),
    () => ({ default: Nothing }),
  ),
)

const SETTLED_MS = 2000

/** Where toasts appear. Mounted once, at the root. Its code is fetched ahead: many a message is about a lost connection. */
export function Toaster(props: ToasterProps) {
  const hasMessages = useWaitingToasts((waiting) => waiting.messages.length > 0)
  useEffect(() => {
    const timer = setTimeout(() => void loadToastList().catch(() => undefined), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    useOnceTrue(hasMessages) && (
      <Suspense fallback={null}>
        <ToastList {...props} />
      </Suspense>
    )
  )
}
