import type { ComponentProps } from 'react'

/** The classes of a button that looks like a link. */
export const textButtonClass =
  'inline-flex min-h-11 items-center text-note font-medium text-ink underline decoration-line underline-offset-4 hover:decoration-second disabled:opacity-45'

/** A quiet button beside a text. */
export const TextButton = (props: Omit<ComponentProps<'button'>, 'className'>) => (
  <button type="button" {...props} className={textButtonClass} />
)
