import { createElement, use } from 'react'
import type { ComponentType } from 'react'
import { loadMessages } from '../i18n/message-catalogue.ts'
import { MessagePart } from '../i18n/message-part.tsx'
import type { MessagePart as Part } from '../i18n/message-parts.ts'
import { currentLanguage } from '../live/device/language.ts'

type Worded<Props> = ComponentType<Props> & {
  /** Loads both ahead, once. Rejects when they cannot be had; whoever shows the component asks for them anew. */
  readonly load: () => Promise<ComponentType<Props>>
}

/**
 * A component that comes with its part of the texts, both at once. Where both are there already it is shown at once: React's `lazy` would put
 * a skeleton in between, for 0.3 s at least.
 */
export function worded<Props extends object>(
  part: Part,
  loadComponent: () => Promise<ComponentType<Props>>,
): Worded<Props> {
  let loading: Promise<ComponentType<Props>> | null = null
  const loadBoth = async () => {
    const [Loaded] = await Promise.all([loadComponent(), loadMessages(currentLanguage(), part)])
    return Loaded
  }
  const ask = () => (loading ??= loadBoth())
  const load = async () => {
    try {
      return await ask()
    } catch (error) {
      loading = null
      throw error
    }
  }
  const Worded = (props: Props) => <MessagePart part={part}>{createElement(use(ask()), props)}</MessagePart>
  return Object.assign(Worded, { load })
}
