import { closeDueBooks } from '../../../../shared/actions/close-books.ts';
import { exportBook, listBooks, showBook } from '../books.ts';
import { command, day, org } from '../command.ts';
import { closeStandInDay } from '../stand-in-day.ts';

export const verbs = {
  list: command({
    effect: 'reads',
    summary: "List an organization's books, each with the line to keep outside the service",
    required: { org },
    run: async (values) => ({ print: await listBooks(values.org) }),
  }),
  show: command({
    effect: 'reads',
    summary: 'Show the book of a day, its line to keep, and the key that outsiders pass to npm run verify',
    required: { org, day },
    positional: 'day',
    run: async (values) => ({ print: await showBook(values.org, values.day) }),
  }),
  export: command({
    effect: 'exports',
    summary: 'Write the book of a day and its records to files that anybody can check with npm run verify',
    required: { org, day },
    optional: { out: 'folder' },
    positional: 'day',
    run: async (values) => ({
      print: { files: await exportBook(values.org, values.day, values.out ?? '.') },
    }),
  }),
  close: command({
    effect: 'changes',
    summary: 'Close the books of all days that ended at least an hour ago, as the schedule does',
    required: { org },
    async run({ org }, context) {
      return { print: { closed: await closeDueBooks(org, context) } };
    },
  }),
  rehearse: command({
    effect: 'changes',
    summary:
      'Simulate a past day in an organization made for it, then close and verify its book; not in production',
    required: {},
    async run(_, context) {
      const rehearsed = await closeStandInDay(context.stage, context);
      return { print: rehearsed, failed: rehearsed.verdict !== 'good' };
    },
  }),
};
