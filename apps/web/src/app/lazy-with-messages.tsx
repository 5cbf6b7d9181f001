import { createElement, use } from 'react'
import type { ComponentType } from 'react'
import { MessagePart } from '../i18n/locale-provider.tsx'
import { loadMessages } from '../i18n/message-catalogue.ts'
import type { MessagePart as Part } from '../i18n/message-parts.ts'
import { currentLanguage } from '../live/device/language.ts'

type LazyWithMessages<Props> = ComponentType<Props> & {
  /** Loads component and texts, once. Rejects when that fails; showing the component then tries again. */
  readonly preload: () => Promise<ComponentType<Props>>
}

/** Forgets one failed load each. */
const failedLoads = new Set<() => void>()

/**
 * Makes components whose load failed load again at their next render. They do not do so by themselves: React renders a
 * component several times before it shows a failure, so a load that keeps failing would never be reported.
 */
export function forgetFailedLoads(): void {
  for (const forget of failedLoads) forget()
}

/**
 * A lazy component that is loaded together with its part of the texts. When both are loaded already it is shown at once: React's
 * `lazy` would show a placeholder for at least 0.3 s.
 */
export function lazyWithMessages<Props extends object>(
  part: Part,
  loadComponent: () => Promise<ComponentType<Props>>,
): LazyWithMessages<Props> {
  let loading: Promise<ComponentType<Props>> | null = null
  const forget = () => {
    failedLoads.delete(forget)
    loading = null
  }
  const loadComponentAndTexts = async () => {
    try {
      const [Loaded] = await Promise.all([loadComponent(), loadMessages(currentLanguage(), part)])
      return Loaded
    } catch (error) {
      failedLoads.add(forget)
      throw error
    }
  }
  const loadOnce = () => (loading ??= loadComponentAndTexts())
  const preload = async () => {
    try {
      return await loadOnce()
    } catch (error) {
      forget()
      throw error
    }
  }
  const Lazy = (props: Props) => (
    <MessagePart part={part}>{createElement(use(loadOnce()), props)}</MessagePart>
  )
  return Object.assign(Lazy, { preload })
}
