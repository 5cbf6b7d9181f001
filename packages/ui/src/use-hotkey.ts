import { useEffect } from 'react'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

/** Acts on a single key while nobody is typing. Null: no key. */
export function useHotkey(key: string | null, act: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      event.preventDefault()
      act()
    }
    if (key === null) return
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [key, act])
}
