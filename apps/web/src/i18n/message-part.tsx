import { use, useDeferredValue, useMemo } from 'react'
import type { ReactNode } from 'react'
import { IntlProvider, useMessages } from 'use-intl'
import { numberTag } from './number-format.ts'
import { useLocale } from './locale-provider.tsx'
import { loadMessages } from './message-catalogue.ts'
import type { Messages } from './message-catalogue.ts'
import type { MessagePart as Part } from './message-parts.ts'

/** Gives a further part of the texts to everything below. The old language stays until the part is here in the new one. */
export function MessagePart({ part, children }: { part: Part; children: ReactNode }) {
  const { language, tag } = useLocale()
  const known = useMessages()
  const more = use(loadMessages(useDeferredValue(language), part))
  const messages = useMemo(() => ({ ...known, ...more }) as Messages, [known, more])
  return (
    <IntlProvider locale={numberTag(tag)} messages={messages}>
      {children}
    </IntlProvider>
  )
}
