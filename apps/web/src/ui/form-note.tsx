import { CircleAlert } from 'lucide-react'
import { Icon } from './icon.tsx'

/** What is wrong with a form as a whole, above the button that was refused. */
export const FormNote = ({ text }: { text: string | null }) => (
  <div role="alert" className="empty:hidden">
    {text !== null && (
      <p className="flex gap-2 rounded-field bg-danger-tint p-3 text-note text-ink">
        <span className="text-danger">
          <Icon of={CircleAlert} />
        </span>
        <span className="min-w-0">{text}</span>
      </p>
    )}
  </div>
)
