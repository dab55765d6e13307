// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import com.github.reservation.torture.nemesis.Fault;
import com.github.reservation.torture.nemesis.FaultKind;
import com.github.reservation.torture.wire.Link;
import com.github.reservation.torture.wire.Proxy;
import com.github.reservation.torture.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A database, with a proxy for each worker in front of it. */
public final class DatabaseStore implements Store {

    private final Primary primary;
    private final List<Link> links;
    private final List<Proxy> proxies;

    DatabaseStore(int workers, Primary primary) {
        this.primary = primary;
        links = IntStream.range(0, workers).mapToObj(worker -> new Link()).toList();
        proxies = links.stream().map(link -> new Proxy(primary.port(), link)).toList();
        primary.onMove(port -> proxies.forEach(proxy -> proxy.aimAt(port)));
    }

    @Override
    public Access.Database access(int worker) {
        String url = primary.product().through(proxies.get(worker).port(), primary.database().url());
        return new Access.Database(primary.product().ddl(), url, primary.database().user());
    }

    /** Returns new connections past all wires, to install and to audit. After a fail-over they go to the new server. */
    public DataSource direct() {
        return primary.database().dataSource();
    }

    @Override
    public Wire wire(int worker) {
        return links.get(worker);
    }

    @Override
    public List<FaultKind> faults() {
        List<FaultKind> faults = new ArrayList<>(primary.faults());
        if (primary.product() != Product.H2) { // It has no statement for that.
            faults.add(new FaultKind("terminate-sessions", 3, random -> {
                int worker = random.nextInt(-1, links.size());
                return worker < 0
                        ? Fault.once("server", () -> terminate(links))
                        : Fault.once("server", () -> terminate(links.subList(worker, worker + 1)))
                                .saying("of", worker);
            }));
        }
        return faults;
    }

    private void terminate(List<Link> whose) throws Exception {
        Sessions.terminate(direct(), whose.stream().flatMap(link -> link.portsAtServer().stream()).toList());
    }

    @Override
    public void close() {
        proxies.forEach(Proxy::close);
        primary.close();
    }
}
