import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type ChatBubbleProps = {
  /** Whether the reader's side has written it. */
  isOwn: boolean
  /** Who has written it, for those who cannot see on which side it stands. */
  author: string
  /** Shown as it is, line by line. */
  text: string
  picture?: ReactNode
  /** When, and what became of it. */
  note: ReactNode
}

/** One message of a conversation, on its writer's side. */
export const ChatBubble = ({ isOwn, author, text, picture, note }: ChatBubbleProps) => (
  <li
    className={classNames('flex max-w-[85%] flex-col gap-0.5', isOwn ? 'items-end self-end' : 'self-start')}
  >
    <span className="sr-only">{author}</span>
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
    <span className="px-1 text-tiny text-second">{note}</span>
  </li>
)
