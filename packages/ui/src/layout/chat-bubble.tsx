import type { ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'
import { withNames } from '../figures/names.tsx'

type ChatBubbleProps = {
  /** Whether the reader's side wrote it. */
  isOwn: boolean
  /** Who wrote it, for screen readers; others see it by the side on which it is. */
  author: string
  /** Shown as it is, line by line. */
  text: string
  picture?: ReactNode
  /** When it was sent, and its delivery state. */
  note: ReactNode
}

/** One message of a conversation, on the side of its author. */
export const ChatBubble = ({ isOwn, author, text, picture, note }: ChatBubbleProps) => (
  <li
    className={classNames('flex max-w-[85%] flex-col gap-0.5', isOwn ? 'items-end self-end' : 'self-start')}
  >
    <span className="sr-only">{withNames(author)}</span>
    <div
      className={classNames(
        'flex min-w-0 flex-col gap-2 rounded-card px-3.5 py-2.5',
        isOwn
          ? 'rounded-ee-field bg-ink text-on-ink'
          : 'rounded-es-field border border-line bg-surface text-ink',
      )}
    >
      {picture}
      {text !== '' && (
        <p dir="auto" className="text-body wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
      )}
    </div>
    <span className="px-1 text-tiny text-second">{withNames(note)}</span>
  </li>
)
