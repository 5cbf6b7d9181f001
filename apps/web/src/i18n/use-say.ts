import type { Say } from '@fairlot/contract'
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'

/** The catalogue by whole keys, for words that the app and the desk make by the same functions. */
export function useSay(): Say {
  const t = useTranslations()
  return useCallback((key, values) => t(key as never, values as never), [t])
}
