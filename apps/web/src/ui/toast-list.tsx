import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { Icon } from './icon.tsx'
import { useWaitingToasts } from './toast.ts'

const manager = Toast.createToastManager()
const SHOWN_MS = 5000
/** Longer texts stay longer: nobody reads more than so much in a second. */
const READ_MS_A_CHARACTER = 70
const MOST_AT_ONCE = 1

function useHandOver() {
  const messages = useWaitingToasts((waiting) => waiting.messages)
  useEffect(() => {
    if (messages.length === 0) return
    useWaitingToasts.setState({ messages: [] })
    // The same sentence twice is one toast: an outage must not build a tower.
    for (const { text, tone, stays = false } of messages)
      manager.add({
        id: text,
        title: text,
        type: tone ?? 'plain',
        timeout: stays ? 0 : Math.max(SHOWN_MS, text.length * READ_MS_A_CHARACTER),
        priority: tone === 'problem' ? 'high' : 'low',
      })
  }, [messages])
}

export function ToastList({ closeLabel }: { closeLabel: string }) {
  useHandOver()
  return (
    <Toast.Provider toastManager={manager} timeout={SHOWN_MS} limit={MOST_AT_ONCE}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-0 top-[max(0.75rem,env(safe-area-inset-top))] z-50 mx-auto flex w-[calc(100%-2rem)] max-w-96 flex-col gap-2">
          <Toasts closeLabel={closeLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

const Toasts = ({ closeLabel }: { closeLabel: string }) =>
  Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['up', 'left', 'right']}
      className="[transform:translate(var(--toast-swipe-movement-x),var(--toast-swipe-movement-y))] rounded-card bg-ink text-on-ink transition-[transform,opacity] data-ending-style:opacity-0 data-limited:hidden data-starting-style:-translate-y-4 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-3 py-1 ps-4">
        {toast.type === 'problem' && <span aria-hidden className="h-5 w-1 shrink-0 rounded-full bg-danger" />}
        {/* The title names the toast to those who cannot see it; on the page it heads nothing. */}
        <Toast.Title
          render={<p />}
          className="min-w-0 flex-1 py-2 text-note font-medium whitespace-pre-line"
        />
        <Toast.Close
          aria-label={closeLabel}
          className="grid size-11 shrink-0 place-items-center rounded-full"
        >
          <Icon of={X} size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
