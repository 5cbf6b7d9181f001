import { useEffect } from 'react'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

/** Calls `action` when a key is pressed alone while no field has the focus. Null: no key. */
export function useHotkey(key: string | null, action: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      event.preventDefault()
      action()
    }
    if (key === null) return
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [key, action])
}
