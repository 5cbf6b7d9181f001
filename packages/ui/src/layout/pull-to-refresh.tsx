import { type RefObject, useCallback, useEffect, useState } from 'react'
import { classNames } from '../theme/class-names.ts'

const CLOSES_AFTER_MS = 500

type PullToRefreshProps = { box: RefObject<HTMLElement | null>; label: string; onRefresh: () => void }

/** Opens at the top of a scroll box when a finger pulls it down: two bars that meet when the pull is far enough. */
export function PullToRefresh({ box, label, onRefresh }: PullToRefreshProps) {
  const [isRefreshing, setIsRefreshing] = useState(false)
  const release = useCallback(() => {
    setIsRefreshing(true)
    onRefresh()
    setTimeout(() => setIsRefreshing(false), CLOSES_AFTER_MS)
  }, [onRefresh])
  const { distancePx, isArmed } = usePull(box, release)
  const height = isRefreshing ? 48 : distancePx
  return (
    <div
      role="status"
      className={classNames(
        'grid place-items-center overflow-hidden',
        distancePx === 0 && 'transition-[height]',
      )}
      style={{ height }}
    >
      {isRefreshing && <span className="sr-only">{label}</span>}
      <span
        aria-hidden
        className={classNames(
          'flex w-6 flex-col transition-[gap]',
          isArmed || isRefreshing ? 'gap-0.5' : 'gap-2',
        )}
      >
        <span className="h-1 rounded-full bg-ink" />
        <span className="h-1 rounded-full bg-brass" />
      </span>
    </div>
  )
}

const TRIGGER_PX = 64
const FURTHEST_PX = 96
/** The box resists: it moves half as far as the finger. */
const RESISTANCE = 0.5

type Pull = { distancePx: number; isArmed: boolean }

const NO_PULL: Pull = { distancePx: 0, isArmed: false }

/** Follows a finger that pulls a scroll box down from its top; calls `onRelease` when it lets go far enough down. */
function usePull(box: RefObject<HTMLElement | null>, onRelease: () => void): Pull {
  const [pull, setPull] = useState(NO_PULL)
  useEffect(() => {
    const element = box.current
    if (!element) return
    let startY: number | null = null
    let now = NO_PULL
    const show = (next: Pull) => setPull((now = next))
    const start = (event: TouchEvent) => {
      startY = element.scrollTop <= 0 ? (event.touches[0]?.clientY ?? null) : null
    }
    const move = (event: TouchEvent) => {
      if (startY === null) return
      const travelled = ((event.touches[0]?.clientY ?? startY) - startY) * RESISTANCE
      if (travelled < 0 || element.scrollTop > 0) startY = null
      const distancePx = startY === null ? 0 : Math.min(FURTHEST_PX, travelled)
      if (distancePx !== now.distancePx) show({ distancePx, isArmed: distancePx >= TRIGGER_PX })
    }
    const end = () => {
      if (now.isArmed) onRelease()
      startY = null
      if (now !== NO_PULL) show(NO_PULL)
    }
    element.addEventListener('touchstart', start, { passive: true })
    element.addEventListener('touchmove', move, { passive: true })
    element.addEventListener('touchend', end)
    element.addEventListener('touchcancel', end)
    return () => {
      element.removeEventListener('touchstart', start)
      element.removeEventListener('touchmove', move)
      element.removeEventListener('touchend', end)
      element.removeEventListener('touchcancel', end)
    }
  }, [box, onRelease])
  return pull
}
