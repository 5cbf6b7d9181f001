import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { FIRST_KEY, navigate, useLocation } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { IconButton } from '@fairlot/ui/icon-button.tsx'

type BackHeaderProps = {
  title: string
  trailing?: ReactNode
  /** As narrow as a form, which it stands above. */
  isNarrow?: boolean
}

/** The head of a screen without tab bar: a way back, and its name. Opened directly, back means home. */
export function BackHeader({ title, trailing, isNarrow = false }: BackHeaderProps) {
  const t = useTranslations('app')
  const isFirst = useLocation().key === FIRST_KEY
  return (
    <header
      className={`sticky top-0 z-20 mx-auto flex w-full items-center gap-1 bg-page px-1 pt-[env(safe-area-inset-top)] ${isNarrow ? 'max-w-md' : 'max-w-2xl'}`}
    >
      <span className="rtl:-scale-x-100">
        <IconButton icon={ArrowLeft} label={t('back')} onClick={() => navigate(isFirst ? '/' : -1)} />
      </span>
      <h1 className="min-w-0 flex-1 py-3 text-title font-bold">{title}</h1>
      {trailing}
    </header>
  )
}
