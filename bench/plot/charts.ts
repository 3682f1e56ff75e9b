import { init, type EChartsOption } from 'echarts';

import type { Growth, Row } from '../support/table';

const WIDTH = 820;
const COLOURS = ['#2f6db3', '#c8742b', '#8a9199', '#4a9a62'];
const TEXT = { color: '#40464d', fontFamily: 'system-ui, sans-serif', fontSize: 13 };

/** Bars for each comparison, as multiples of our node's figure, so that seconds and minutes have one scale. */
export function comparisonChart(rows: readonly Row[]): string {
  const bars = (of: 'ours' | 'peer' | 'limit') =>
    rows.map(({ figures }) => {
      const value = figures?.[of];
      return value === undefined || figures === undefined ? null : Number((value / figures.ours).toFixed(2));
    });
  const series = (
    [
      ['these nodes', 'ours'],
      ["n8n's own nodes", 'peer'],
      ['the limit: bare requests', 'limit'],
    ] as const
  ).map(([name, of]) => ({
    name,
    type: 'bar' as const,
    data: bars(of),
    label: { show: true, position: 'right' as const, ...TEXT, fontSize: 11 },
  }));
  return draw(120 + rows.length * 78, {
    grid: { left: 260, right: 50, top: 40, bottom: 50 },
    xAxis: { type: 'value', name: 'time, these nodes = 1', nameLocation: 'middle', nameGap: 30 },
    yAxis: {
      type: 'category',
      inverse: true,
      data: rows.map(({ name }) => name),
      axisLabel: { width: 240, overflow: 'break' },
    },
    series,
  });
}

/** Lines of costs over several powers of ten, so that a proportional cost is a straight line. */
export function growthChart(lines: readonly Growth[], x: string, y: string): string {
  const most = Math.max(...lines.flatMap(({ points }) => points.map(([at]) => at)));
  const type = most > 100 ? ('log' as const) : ('value' as const);
  return draw(380, {
    grid: { left: 70, right: 30, top: 50, bottom: 60 },
    xAxis: { type, name: x, nameLocation: 'middle', nameGap: 32 },
    yAxis: { type, name: y, nameLocation: 'middle', nameGap: 45 },
    series: lines.map(({ series, points }) => ({
      name: series,
      type: 'line' as const,
      symbolSize: 7,
      labelLayout: { hideOverlap: true },
      data: points.map(([at, value]) => [at, value]),
      label: { show: true, position: 'top' as const, ...TEXT, fontSize: 11, formatter: '{@[1]}' },
    })),
  });
}

function draw(height: number, option: EChartsOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    color: COLOURS,
    textStyle: TEXT,
    legend: { top: 8, itemGap: 36 },
    ...option,
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
