import { lazy, Suspense } from 'react'
import type { ComponentType } from 'react'
import { useWaitingToasts } from './toast.ts'
import { useFirstInput } from '../hooks/use-first-input.ts'
import { useOnceTrue } from '../hooks/use-once-true.ts'

const loadToastList = () => import('./toast-list.tsx')
const preloadToastList = () => void loadToastList().catch(() => undefined)

type ToasterProps = {
  closeLabel: string
  /** On wide screens, too, toasts appear above elements marked by TOAST_OBSTACLE. */
  avoidsObstaclesOnDesktop?: boolean
}

const Nothing: ComponentType<ToasterProps> = () => null

// If the code cannot be loaded, the message is lost, but the app goes on.
const ToastList = lazy((): Promise<{ default: ComponentType<ToasterProps> }> =>
  loadToastList().then(
    (loaded) => ({ default: loaded.ToastList }),
    () => ({ default: Nothing }),
  ),
)

/** Where toasts appear. Mounted once, at the root. The first touch or key loads its code: many messages are about a lost connection. */
export function Toaster(props: ToasterProps) {
  const hasMessages = useWaitingToasts((waiting) => waiting.messages.length > 0)
  useFirstInput(preloadToastList)
  return (
    useOnceTrue(hasMessages) && (
      <Suspense fallback={null}>
        <ToastList {...props} />
      </Suspense>
    )
  )
}
