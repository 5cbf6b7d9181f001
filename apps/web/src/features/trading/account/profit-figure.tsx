import { directionOfFigure } from '../../../i18n/number-format.ts'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { ChangeFigure } from '@fairlot/ui/change-figure.tsx'

type ProfitFigureProps = {
  /** Account currency in units of 1e-6. */
  units: bigint
  hasArrow?: boolean
}

/** A profit with its sign, in its colour, to its sixth decimal. */
export function ProfitFigure({ units, hasArrow = false }: ProfitFigureProps) {
  const { figures } = useLocale()
  const { main, rest } = figures.fine(units, { sign: 'always' })
  return <ChangeFigure direction={directionOfFigure(main)} text={main} rest={rest} hasArrow={hasArrow} />
}
