import { useCallback, useState } from 'react'
import type { RefObject } from 'react'
import { classNames } from './class-names.ts'
import { usePull } from './use-pull.ts'

const CLOSES_AFTER_MS = 500

type PullToRefreshProps = { box: RefObject<HTMLElement | null>; label: string; onRefresh: () => void }

/** Sits at the top of a scroll box and opens under a pulling finger: two bars that meet when it is far enough. */
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
