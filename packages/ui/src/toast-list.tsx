import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { noticeFloorPx, onNoticeFloor } from './notice-floor.ts'
import { useWaitingToasts } from './toast.ts'
import { useMediaQuery } from './use-media-query.ts'

const manager = Toast.createToastManager()
const SHOWN_MS = 4000
const GAP_PX = 12
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
        timeout: stays ? 0 : SHOWN_MS,
        priority: tone === 'problem' ? 'high' : 'low',
      })
  }, [messages])
}

type ToastListProps = { closeLabel: string; isAboveFloors?: boolean }

export function ToastList({ closeLabel, isAboveFloors = false }: ToastListProps) {
  useHandOver()
  return (
    <Toast.Provider toastManager={manager} timeout={SHOWN_MS} limit={MOST_AT_ONCE}>
      <Toast.Portal>
        <Place isAboveFloors={isAboveFloors}>
          <Toasts closeLabel={closeLabel} />
        </Place>
      </Toast.Portal>
    </Toast.Provider>
  )
}

/**
 * On a phone above the tab bar and the ticket, where the thumb is not; at the top while a dialog has the foot. On a wide screen at
 * the foot of the list: neither over the figures of the head, nor over the positions or the ticket.
 */
function Place({ isAboveFloors, children }: { isAboveFloors: boolean; children: ReactNode }) {
  const isWide = useMediaQuery('(min-width: 64rem)')
  const floorPx = useSyncExternalStore(onNoticeFloor, isWide && !isAboveFloors ? noFloor : noticeFloorPx)
  return (
    <Toast.Viewport
      style={floorPx === null ? undefined : { bottom: floorPx + GAP_PX }}
      className={classNames(
        'fixed inset-x-4 z-50 mx-auto flex max-w-96 flex-col gap-2 landscape-phone:me-auto landscape-phone:ms-0 desktop:end-auto desktop:mx-0 desktop:w-72',
        floorPx === null && 'top-[max(0.75rem,env(safe-area-inset-top))]',
      )}
    >
      {children}
    </Toast.Viewport>
  )
}

const noFloor = () => 0

const Toasts = ({ closeLabel }: { closeLabel: string }) =>
  Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['up', 'left', 'right']}
      className="[transform:translate(var(--toast-swipe-movement-x),var(--toast-swipe-movement-y))] rounded-card bg-ink text-on-ink transition-[transform,opacity] data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-3 py-1 ps-4">
        {toast.type === 'problem' && <span aria-hidden className="h-5 w-1 shrink-0 rounded-full bg-danger" />}
        {/* The title names the toast to those who cannot see it; on the page it heads nothing. */}
        <Toast.Title
          render={<p />}
          className="min-w-0 flex-1 py-2 text-note font-medium whitespace-pre-line"
        />
        {/* Hidden from who listens until the toast has the focus. Till then the focus must not land on it either. */}
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
