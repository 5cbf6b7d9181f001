import { useEffect, useRef, useState, type ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'

/** A box that scrolls when its content does not fit. Its lower edge fades out while there is more below. */
export function FadingScroll({ className, children }: { className?: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [hasMore, setHasMore] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || !content.current) return
    const update = () =>
      setHasMore(element.scrollHeight - element.clientHeight - element.scrollTop > ROUNDING_PX)
    const observer = new ResizeObserver(update)
    observer.observe(element)
    observer.observe(content.current)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [])
  return (
    <div
      ref={box}
      className={classNames(
        'min-h-0 overflow-y-auto overscroll-contain',
        hasMore && 'mask-b-from-[calc(100%-40px)]',
      )}
    >
      <div ref={content} className={className}>
        {children}
      </div>
    </div>
  )
}

const ROUNDING_PX = 1
