import { Activity } from 'react'
import { useTranslations } from 'use-intl'
import { CopiesScreen } from '../../features/copying/copies-screen.tsx'
import { RankingScreen } from '../../features/copying/ranking-screen.tsx'
import { useIsCopying } from '../footer-tabs.tsx'
import { MainHeader } from '../main-header.tsx'

/** Ranking and copying: two tabs of the tab bar, one screen. */
export function RankPage() {
  const t = useTranslations('screens')
  const isCopying = useIsCopying()
  return (
    <>
      <MainHeader isWide title={t(isCopying ? 'copies' : 'rank')} />
      {/* Keeps its choices and pages while the other tab is shown. */}
      <Activity mode={isCopying ? 'hidden' : 'visible'}>
        <RankingScreen />
      </Activity>
      {isCopying && <CopiesScreen />}
    </>
  )
}
