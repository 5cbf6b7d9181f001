import { lazy } from 'react'
import type { ComponentType } from 'react'
import { loadMessages } from '../i18n/message-catalogue.ts'
import { MessagePart } from '../i18n/message-part.tsx'
import type { MessagePart as Part } from '../i18n/message-parts.ts'
import { currentLanguage } from '../live/device/language.ts'

/** A component that comes with its part of the texts, both at once. */
export const worded = <Props extends object>(part: Part, load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    const [Loaded] = await Promise.all([load(), loadMessages(currentLanguage(), part)])
    const Worded = (props: Props) => (
      <MessagePart part={part}>
        <Loaded {...props} />
      </MessagePart>
    )
    return { default: Worded }
  })
