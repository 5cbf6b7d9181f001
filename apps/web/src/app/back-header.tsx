import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { FIRST_KEY, navigate, useLocation } from '@fairlot/ui/navigation/router.tsx'
import { withNames } from '@fairlot/ui/figures/names.tsx'

type BackHeaderProps = {
  title: string
  trailing?: ReactNode
  /** As narrow as a form below it. */
  isNarrow?: boolean
  /** As wide as a screen of two columns below it. */
  isWide?: boolean
}

/** The header of a screen without tab bar: a back button and the title. On a screen opened directly, back leads home. */
export function BackHeader({ title, trailing, isNarrow = false, isWide = false }: BackHeaderProps) {
  const t = useTranslations('app')
  const isFirst = useLocation().key === FIRST_KEY
  return (
    <header
      className={`sticky top-0 z-20 mx-auto flex w-full items-center gap-1 bg-page px-1 pt-[env(safe-area-inset-top)] ${isNarrow ? 'max-w-md' : 'max-w-2xl'} ${isWide ? 'desktop:max-w-6xl' : ''}`}
    >
      <span className="rtl:-scale-x-100">
        <IconButton icon={ArrowLeft} label={t('back')} onClick={() => navigate(isFirst ? '/' : -1)} />
      </span>
      <h1 className="min-w-0 flex-1 py-3 text-title font-bold">{withNames(title)}</h1>
      {trailing}
    </header>
  )
}
