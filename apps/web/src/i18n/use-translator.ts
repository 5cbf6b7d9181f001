import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import type { Translator } from '@fairlot/contract'

/** Translates by full key, for functions that app and desk share. */
export function useTranslator(): Translator {
  const t = useTranslations()
  return useCallback((key, values) => t(key as never, values as never), [t])
}
