import { useEffect, useState } from 'preact/hooks';
import type { Activity } from '../../model.ts';
import { countText, prizeText, useTexts } from '../language.ts';
import { ProblemText } from '../parts.tsx';
import { sendAction } from '../server.ts';
import type { Texts } from '../texts/en.ts';

export function ActivityScreen() {
  const { lang, t } = useTexts();
  const [activity, setActivity] = useState<Activity[] | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  useEffect(() => {
    void sendAction({ do: 'activity' }).then(({ activity, refused }) => {
      setActivity(activity);
      setProblem(refused);
    });
  }, []);
  const time = new Intl.DateTimeFormat(`${lang}-US`, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div class="stack">
      <h1>{t.activity.title}</h1>
      <ProblemText code={problem} />
      {!activity && !problem && <p role="status">{t.activity.loading}</p>}
      {activity?.length === 0 && <p class="faint">{t.activity.empty}</p>}
      <ul class="lines">
        {activity?.map((line) => (
          <li key={line.id}>
            <span>
              {line.kind === 'credit' ? line.description : t.activity[line.kind]}
              <small>{time.format(new Date(line.at))}</small>
            </span>
            <b class={line.kind === 'cost' ? '' : 'good'}>
              {'prize' in line ? prizeText(t, line.prize) : changeText(t, line.tickets)}
            </b>
          </li>
        ))}
      </ul>
    </div>
  );
}

const changeText = (t: Texts, tickets: number) =>
  `${tickets < 0 ? '−' : '+'}${countText(t.activity.tickets, Math.abs(tickets))}`;
