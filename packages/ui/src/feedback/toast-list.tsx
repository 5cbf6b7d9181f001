import { Toast } from '@base-ui/react/toast'
import { ChevronRight, X } from 'lucide-react'
import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'
import { Icon } from '../graphics/icon.tsx'
import { navigate } from '../navigation/router.tsx'
import { toastOffsetPx, onToastObstacleChange } from '../layout/toast-obstacle.ts'
import { useWaitingToasts } from './toast.ts'
import { useMediaQuery } from '../hooks/use-media-query.ts'
import { withNames } from '../figures/names.tsx'

type Data = { readonly to: string | undefined }

const manager = Toast.createToastManager<Data>()
const SHOWN_MS = 4000
const GAP_PX = 12
const MAX_AT_ONCE = 1

/** Ids of toasts that disappear by themselves; the next message replaces them. */
const temporary = new Set<string>()

/** Shows the waiting messages. */
function useWaitingMessages() {
  const messages = useWaitingToasts((waiting) => waiting.messages)
  useEffect(() => {
    if (messages.length === 0) return
    useWaitingToasts.setState({ messages: [] })
    // The text is the id: a repeated message is one toast, so an outage does not stack them up.
    for (const { text, tone, isPersistent = false, to } of messages) {
      for (const id of temporary) if (id !== text) manager.close(id)
      temporary.clear()
      if (!isPersistent) temporary.add(text)
      manager.add({
        id: text,
        title: withNames(text),
        type: tone ?? 'plain',
        timeout: isPersistent ? 0 : SHOWN_MS,
        priority: tone === 'problem' ? 'high' : 'low',
        data: { to },
      })
    }
  }, [messages])
}

type ToastListProps = { closeLabel: string; avoidsObstaclesOnDesktop?: boolean }

export function ToastList({ closeLabel, avoidsObstaclesOnDesktop = false }: ToastListProps) {
  useWaitingMessages()
  return (
    <Toast.Provider toastManager={manager} timeout={SHOWN_MS} limit={MAX_AT_ONCE}>
      <Toast.Portal>
        <Place avoidsObstaclesOnDesktop={avoidsObstaclesOnDesktop}>
          <Toasts closeLabel={closeLabel} />
        </Place>
      </Toast.Portal>
    </Toast.Provider>
  )
}

/**
 * On a phone above the tab bar and the ticket; at the top while a dialog is open. On a wide screen at the bottom of the left
 * column, where it covers neither the account figures nor the positions nor the ticket.
 */
function Place({
  avoidsObstaclesOnDesktop,
  children,
}: {
  avoidsObstaclesOnDesktop: boolean
  children: ReactNode
}) {
  const isWide = useMediaQuery('(min-width: 64rem)')
  const offsetPx = useSyncExternalStore(
    onToastObstacleChange,
    isWide && !avoidsObstaclesOnDesktop ? noOffset : toastOffsetPx,
  )
  return (
    <Toast.Viewport
      style={offsetPx === null ? undefined : { bottom: offsetPx + GAP_PX }}
      className={classNames(
        'fixed inset-x-4 z-50 mx-auto flex max-w-96 flex-col gap-2 landscape-phone:ms-auto landscape-phone:me-0 landscape-phone:max-w-80 desktop:end-auto desktop:mx-0 desktop:w-72',
        offsetPx === null && 'top-[max(0.75rem,env(safe-area-inset-top))]',
      )}
    >
      {children}
    </Toast.Viewport>
  )
}

const noOffset = () => 0

const Toasts = ({ closeLabel }: { closeLabel: string }) =>
  Toast.useToastManager<Data>().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['up', 'left', 'right']}
      className="[transform:translate(var(--toast-swipe-movement-x),var(--toast-swipe-movement-y))] rounded-card bg-ink text-on-ink transition-[transform,opacity] data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-3 py-1 ps-4">
        {toast.type === 'problem' && <span aria-hidden className="h-5 w-1 shrink-0 rounded-full bg-danger" />}
        <Text to={toast.data?.to} onFollow={() => manager.close(toast.id)} />
        {/* Hidden from screen readers until the toast has the focus; until then it must not be focusable either. */}
        <Toast.Close
          aria-label={closeLabel}
          render={(props) => (
            <button {...props} type="button" tabIndex={props['aria-hidden'] === true ? -1 : 0} />
          )}
          className="grid size-11 shrink-0 place-items-center rounded-full"
        >
          <Icon of={X} size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))

const TEXT_CLASS = 'min-w-0 flex-1 py-2 text-start text-note font-medium whitespace-pre-line'

/** The text; a link when the message names a screen. */
const Text = ({ to, onFollow }: { to: string | undefined; onFollow: () => void }) =>
  to === undefined ? (
    // The title names the toast for screen readers; it is not a heading of the page.
    <Toast.Title render={<p />} className={TEXT_CLASS} />
  ) : (
    <button
      type="button"
      onClick={() => {
        onFollow()
        navigate(to)
      }}
      className="flex min-h-11 min-w-0 flex-1 items-center gap-1"
    >
      <Toast.Title render={<span />} className={TEXT_CLASS} />
      <span className="rtl:-scale-x-100">
        <Icon of={ChevronRight} size={16} />
      </span>
    </button>
  )
